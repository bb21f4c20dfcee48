/**
 * Scrolls the thread. It follows the end while the reader is there, stays put while they read further up, and stops at
 * the beginning of an answer that is longer than the window, because reading starts there.
 */
const nearEndPx = 120;

export function createScrolling({
  scroller,
  content,
  newest,
}: {
  readonly scroller: HTMLElement;
  readonly content: HTMLElement;
  readonly newest: HTMLElement;
}) {
  let isFollowing = true;
  let lastTopPx = 0;
  let shownMessageId: string | undefined;

  const isNearEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEndPx;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
  };
  const settle = () => {
    if (isFollowing) toEnd();
    newest.hidden = isNearEnd();
  };

  scroller.addEventListener("scroll", () => {
    // Only a reader scrolls up. Growth below can fire this event before `settle` follows it.
    if (isNearEnd()) isFollowing = true;
    else if (scroller.scrollTop < lastTopPx) isFollowing = false;
    lastTopPx = scroller.scrollTop;
    newest.hidden = isNearEnd();
  });
  newest.addEventListener("click", () => {
    isFollowing = true;
    toEnd();
  });
  new ResizeObserver(settle).observe(content);
  new ResizeObserver(settle).observe(scroller);

  return {
    follow: () => {
      isFollowing = true;
    },
    /** `node` has arrived. If it does not fit the window, scrolls `from`, where reading starts, to the top. */
    showBeginning: (node: HTMLElement, from: HTMLElement) => {
      if (!isFollowing || node.offsetHeight < scroller.clientHeight - 80) return;
      isFollowing = false;
      scroller.scrollTop = from.offsetTop - 16;
    },
    /** After a change; `messageId` is the one in the URL. */
    update: (isOther: boolean, messageId: string | undefined) => {
      if (isOther) {
        isFollowing = true;
        shownMessageId = undefined;
      }
      const target =
        messageId === undefined || messageId === shownMessageId
          ? null
          : content.querySelector<HTMLElement>(`[data-id="${CSS.escape(messageId)}"]`);
      if (target !== null) {
        shownMessageId = messageId;
        isFollowing = false;
        target.scrollIntoView({ block: "start" });
        target.focus({ preventScroll: true });
      }
      settle();
    },
  };
}
