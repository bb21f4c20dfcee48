/** What is wrong and what to do first, and a strip that says what runs. */
import type { ComponentChildren } from "preact";
import type { PlatformStatus, Status } from "../../../../../src/overview/status.ts";
import { nowMs } from "../../connection/clock.ts";
import { plain } from "../../drawing/element.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Lamp, type Tone } from "../../parts/chip.tsx";
import { durationText } from "../../parts/dates.ts";
import { Icon } from "../../parts/icon.tsx";
import { bytesText, numberText } from "../../parts/numbers.ts";
import { href } from "../kit/address.ts";
import { RemedyLink } from "../kit/remedy.tsx";

const maxAdvice = 3;

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const ended = (text: string) => (/[.!?]$/.test(text.trim()) ? text : `${text}.`);

function Notice({
  name,
  says,
  children,
}: {
  readonly name: string;
  readonly says: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class="advice" role="status">
      <Icon name="warn" />
      <p dir="auto">
        <strong>{plain(name)}</strong> {plain(says)}
      </p>
      {children}
    </section>
  );
}

/** The doctor's sentences. What is down now comes first: it explains the rest. */
export function Advice({ status: { platforms, service, storage, problems } }: { readonly status: Status }) {
  const down = [
    ...(storage.isOk ? [] : [{ name: storage.kind, says: storage.reason ?? "can't be reached." }]),
    ...(service.isOk ? [] : [{ name: "The agent service", says: service.reason ?? "doesn't answer." }]),
    ...platforms.flatMap(({ label, isConnected, reason }) =>
      isConnected && reason === undefined ? [] : [{ name: capital(label), says: reason ?? "isn't connected." }],
    ),
  ];
  const names = new Set(down.map(({ name }) => name.toLowerCase()));
  const others = problems.filter(({ name }) => !names.has(name.toLowerCase()) && !names.has(`the agent ${name}`));
  const all = [...down, ...others.map(({ name, says }) => ({ name: capital(name), says }))];
  const rest = all.length - maxAdvice;
  return (
    <>
      {all.slice(0, maxAdvice).map(({ name, says }) => (
        <Notice key={`${name} ${says}`} name={`${name}:`} says={ended(capital(says))}>
          <RemedyLink name={name} />
        </Notice>
      ))}
      {rest > 0 ? (
        <Notice name={`${rest} more.`} says="">
          <LinkButton href={href("system")}>Show</LinkButton>
        </Notice>
      ) : undefined}
    </>
  );
}

function Fact({
  name,
  tone,
  says,
  text,
}: {
  readonly name: string;
  readonly tone: Tone;
  readonly says: string;
  readonly text: string;
}) {
  return (
    <div class="fact">
      <dt>
        <Lamp tone={tone} says={says} />
        {name}
      </dt>
      <dd dir="auto">{plain(text)}</dd>
    </div>
  );
}

function PlatformFact({ platform: { label, isConnected, reason } }: { readonly platform: PlatformStatus }) {
  const name = capital(label);
  if (!isConnected) return <Fact name={name} tone="bad" says="down" text="not connected" />;
  if (reason === undefined) return <Fact name={name} tone="good" says="fine" text="connected" />;
  return <Fact name={name} tone="warn" says="attention" text="needs attention" />;
}

function serviceText({ isOk, latencyMs }: Status["service"]): string {
  if (!isOk) return "not reachable";
  if (latencyMs === undefined) return "OK";
  return `OK · ${latencyMs < 1_000 ? `${Math.round(latencyMs)} ms` : durationText(latencyMs)}`;
}

export function StateStrip({ status }: { readonly status: Status }) {
  const { now, platforms, service, storage, version, startedAtMs } = status;
  const size = storage.bytes === undefined ? "" : ` · ${bytesText(storage.bytes)}`;
  const isBusy = now.waiting > 0;
  const health = (isOk: boolean) => ({ tone: isOk ? "good" : "bad", says: isOk ? "fine" : "down" }) as const;
  return (
    <dl class="panel strip" aria-label="State">
      {platforms.map((platform) => (
        <PlatformFact key={platform.name} platform={platform} />
      ))}
      <Fact name="Agent service" {...health(service.isOk)} text={serviceText(service)} />
      <Fact name="Storage" {...health(storage.isOk)} text={`${storage.kind}${size}`} />
      <Fact
        name="Parley"
        tone="good"
        says="running"
        text={`${version} · up ${durationText(Math.max(0, nowMs() - startedAtMs))}`}
      />
      <Fact
        name="Now"
        tone={isBusy ? "warn" : "good"}
        says={isBusy ? "questions wait" : "nothing waits"}
        text={`${numberText(now.running)} running · ${numberText(now.waiting)} waiting`}
      />
    </dl>
  );
}
