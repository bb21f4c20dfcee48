/** Says who will read a conversation before it begins, and lets people choose the channel. */
import { element, plain } from "../drawing/element.js";
import { channelTitle } from "./sidebar.js";

function whoReads({ isPrivate }, { isReadByManagers }) {
  if (!isPrivate) return "Everyone who signs in here can read it.";
  return isReadByManagers ? "Only you and those who manage Parley can read it." : "Only you can read it.";
}

/** `box`: an empty element above the message box; `me` reads this page. */
export function createReaders({ box, me, onChoose }) {
  let shown = "";

  function draw(channels, current) {
    const chosen = channels.find(({ id }) => id === current);
    const choice = element(
      "select",
      { id: "channel", "aria-describedby": "who-reads", change: ({ target }) => onChoose(target.value) },
      ...channels.map(({ id }) =>
        element("option", { value: id, selected: id === current }, plain(channelTitle(channels, id))),
      ),
    );
    return [
      element("label", { for: choice.id }, "New conversation in"),
      choice,
      element("span", { id: "who-reads" }, whoReads(chosen, me)),
    ];
  }

  return {
    /** `isMissing`: the address leads nowhere. */
    show: ({ channels, current }, isMissing) => {
      const isKnown = !isMissing && channels.some(({ id }) => id === current.channel);
      // Without a sign-in there is one person.
      box.hidden = me.how === "loopback" || current.thread !== undefined || !isKnown;
      const key = box.hidden ? "" : JSON.stringify([channels, current.channel]);
      if (key === shown) return;
      shown = key;
      const hadFocus = box.contains(document.activeElement);
      box.replaceChildren(...(box.hidden ? [] : draw(channels, current.channel)));
      if (hadFocus) box.querySelector("select")?.focus();
    },
  };
}
