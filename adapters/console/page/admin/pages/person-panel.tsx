/** Exports or erases what Parley stores about a person. A panel of the page System. */
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Erasure } from "../../../../../src/core/content/privacy.ts";
import { plain } from "../../drawing/element.ts";
import { Button } from "../../parts/button.tsx";
import { countText, numberText } from "../../parts/numbers.ts";
import { Panel } from "../../parts/panel.tsx";
import { Problem } from "../../parts/problem.ts";
import { confirmed } from "../kit/confirm.tsx";
import { send, urlOf } from "../kit/request.ts";
import type { View } from "../kit/view.ts";

const written = /^\s*[a-z]+:[^/\s]+\/\S+\s*$/;

function Kind({ kind: { kind, removed, renamed } }: { readonly kind: Erasure["kinds"][number] }) {
  const parts = [
    removed > 0 ? `${numberText(removed)} removed` : "",
    renamed > 0 ? `${numberText(renamed)} without the name` : "",
  ];
  return <li>{`${kind}: ${parts.filter((part) => part !== "").join(", ")}`}</li>;
}

/** What was removed, and what stays. */
function Report({ erasure: { kinds, stays, isComplete } }: { readonly erasure: Erasure }) {
  if (kinds.length === 0) return <p>Parley stores nothing about this person.</p>;
  return (
    <>
      <p>{isComplete ? "Erased:" : "Not finished. Erased so far:"}</p>
      <ul>
        {kinds.map((kind) => (
          <Kind key={kind.kind} kind={kind} />
        ))}
      </ul>
      {stays.length === 0 ? undefined : <p>What stays:</p>}
      <ul>
        {stays.map((one) => (
          <li key={one} dir="auto">
            {plain(one)}
          </li>
        ))}
      </ul>
    </>
  );
}

type Result = { readonly problem: string } | { readonly erasure: Erasure } | "erasing" | undefined;

function ResultText({ result }: { readonly result: Result }) {
  if (result === undefined) return null;
  if (result === "erasing") return <p class="soft">Erasing…</p>;
  return "problem" in result ? <p class="problem">{result.problem}</p> : <Report erasure={result.erasure} />;
}

export function PersonPanel({ view }: { readonly view: View }) {
  const box = useRef<HTMLInputElement>(null);
  const result = useSignal<Result>(undefined);

  function person(): string | undefined {
    const typed = box.current?.value ?? "";
    if (written.test(typed)) return typed.trim();
    result.value = { problem: "A person is written as platform:workspace/id. For example slack:T1/U123." };
    box.current?.focus();
    return undefined;
  }

  function exportPerson(): void {
    const who = person();
    if (who === undefined) return;
    result.value = undefined;
    // A download leaves the page as it is.
    location.assign(urlOf("api/admin/people/export", { person: who }));
  }

  async function erasePerson(): Promise<void> {
    const who = person();
    if (who === undefined) return;
    const isMeant = await confirmed({
      title: `Erase ${who}?`,
      text: "Their questions, answers, votes and schedules are removed. Where their name is needed, it becomes “A former member”. This can't be undone.",
      confirm: "Erase",
      isDangerous: true,
    });
    if (!isMeant) return;
    result.value = "erasing";
    try {
      const erasure = await send<Erasure>("POST", "api/admin/people/erase", { person: who }, view.signal);
      result.value = { erasure };
      view.announce(erasure.isComplete ? "Erased." : `Not finished: ${countText(erasure.stays.length, "thing")} left.`);
    } catch (thrown) {
      if (view.signal.aborted) return;
      const problem = thrown instanceof Problem ? `${thrown.what} ${thrown.hint}` : "It couldn't be done. Try again.";
      result.value = { problem };
    }
  }

  return (
    <Panel title="A person's data">
      <label class="soft" for="person" id="person-hint">
        Export or erase what Parley stores about one person, written as platform:workspace/id.
      </label>
      <div class="person-form">
        <input
          class="search-input"
          id="person"
          type="text"
          placeholder="slack:T1/U123"
          autocomplete="off"
          spellcheck={false}
          defaultValue={view.address.query["person"] ?? ""}
          aria-describedby="person-hint"
          ref={box}
        />
        <Button press={exportPerson}>Export</Button>
        <Button press={erasePerson} look="danger">
          Erase
        </Button>
      </div>
      <div class="person-result" role="status">
        <ResultText result={result.value} />
      </div>
    </Panel>
  );
}
