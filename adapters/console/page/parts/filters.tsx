/**
 * A bar of filters whose values are in the address, so that a filtered list can be bookmarked and sent to others.
 * Selects are the browser's own: they work with keyboards, screen readers and thumbs.
 */
import { type Signal, signal } from "@preact/signals";
import { nowMs } from "../connection/clock.ts";
import { plain } from "../drawing/element.ts";
import { Button } from "./button.tsx";
import { dayOf } from "./dates.ts";
import { Icon } from "./icon.tsx";

const typingMs = 300;

export type Option = readonly [value: string, text: string];

export type Field =
  /** `any` is the text of no choice. A value of the address that isn't an option is shown as it is: what it named may be gone. */
  | {
      readonly kind: "select";
      readonly name: string;
      readonly label: string;
      readonly any: string;
      readonly options: readonly Option[];
    }
  | { readonly kind: "text"; readonly name: string; readonly label: string; readonly placeholder: string }
  /** Days back, or from one day to another. */
  | { readonly kind: "period"; readonly label: string };

type Values = Readonly<Record<string, string>>;

export type Filters = {
  readonly values: Signal<Values>;
  /** "" and undefined take a value back. */
  readonly set: (changes: Readonly<Record<string, string | undefined>>) => void;
};

/** What the address of a page says and how that is changed. */
type Addressed = {
  readonly address: { readonly query: Values };
  readonly setQuery: (query: Values) => void;
};

/** `onChange` is called once a value has changed. */
export function createFilters(view: Addressed, onChange: () => void): Filters {
  const values = signal<Values>({ ...view.address.query });
  return {
    values,
    set: (changes) => {
      const all = Object.entries({ ...values.value, ...changes });
      values.value = Object.fromEntries(
        all.flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, value]])),
      );
      view.setQuery(values.value);
      onChange();
    },
  };
}

type FieldProps<Kind extends Field["kind"]> = {
  readonly field: Extract<Field, { readonly kind: Kind }>;
  readonly filters: Filters;
};

function Select({
  label,
  name,
  chosen,
  options,
  choose,
}: {
  readonly label: string;
  readonly name: string;
  readonly chosen: string;
  readonly options: readonly Option[];
  readonly choose: (value: string) => void;
}) {
  return (
    <span class={`filter${chosen === "" ? "" : " is-set"}`}>
      <select aria-label={label} name={name} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {plain(text)}
          </option>
        ))}
      </select>
    </span>
  );
}

function SelectField({ field: { name, label, any, options }, filters: { values, set } }: FieldProps<"select">) {
  const chosen = values.value[name] ?? "";
  const known = options.some(([value]) => value === chosen) || chosen === "";
  const all: readonly Option[] = [["", any], ...options, ...(known ? [] : [[chosen, chosen] as const])];
  const choose = (value: string) => set({ [name]: value });
  return <Select label={label} name={name} chosen={chosen} options={all} choose={choose} />;
}

let typing: ReturnType<typeof setTimeout> | undefined;

function TextField({ field: { name, label, placeholder }, filters: { values, set } }: FieldProps<"text">) {
  const written = values.value[name] ?? "";
  const type = (text: string) => {
    clearTimeout(typing);
    typing = setTimeout(() => set({ [name]: text.trim() }), typingMs);
  };
  return (
    <span class={`filter has-text${written === "" ? "" : " is-set"}`}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        name={name}
        placeholder={placeholder}
        defaultValue={written}
        // What is being typed stays; a cleared filter empties it.
        key={written === "" ? "empty" : "written"}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </span>
  );
}

const periods: readonly Option[] = [
  ["", "Any time"],
  ["1", "Today"],
  ["yesterday", "Yesterday"],
  ["7", "Last 7 days"],
  ["30", "Last 30 days"],
  ["own", "Between days…"],
];

function PeriodField({ field: { label }, filters: { values, set } }: FieldProps<"period">) {
  const { days, from, until } = values.value;
  const isOwn = from !== undefined || until !== undefined || days === "own";
  const day = (name: "from" | "until", title: string) => (
    <input
      type="date"
      aria-label={title}
      name={name}
      value={values.value[name] ?? ""}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <span class="filter-group">
      <Select
        label={label}
        name="days"
        chosen={isOwn ? "own" : (days ?? "")}
        options={periods}
        choose={(value) => set({ days: value, from: undefined, until: undefined })}
      />
      {isOwn ? (
        <span class="filter is-set">
          {day("from", "From")}–{day("until", "Until")}
        </span>
      ) : undefined}
    </span>
  );
}

function FilterField({ field, filters }: { readonly field: Field; readonly filters: Filters }) {
  switch (field.kind) {
    case "select":
      return <SelectField field={field} filters={filters} />;
    case "text":
      return <TextField field={field} filters={filters} />;
    case "period":
      return <PeriodField field={field} filters={filters} />;
    default:
      return field satisfies never;
  }
}

const namesOf = (field: Field) => (field.kind === "period" ? ["days", "from", "until"] : [field.name]);

export function FilterBar({ fields, filters }: { readonly fields: readonly Field[]; readonly filters: Filters }) {
  const names = fields.flatMap(namesOf);
  const isSet = names.some((name) => filters.values.value[name] !== undefined);
  const clear = () => filters.set(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <form class="filters" role="search" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      {fields.map((field) => (
        <FilterField key={namesOf(field)[0]} field={field} filters={filters} />
      ))}
      {isSet ? (
        <Button press={clear} look="plain">
          Clear
        </Button>
      ) : undefined}
    </form>
  );
}

/** The period of a query in ms, undefined where it has no limit. Days are the reader's. */
export function periodOf({ days, from, until }: Values): {
  readonly from: number | undefined;
  readonly until: number | undefined;
} {
  const dayAfter = (atMs: number, count: number) => new Date(atMs).setDate(new Date(atMs).getDate() + count);
  const beginning = (date: string | undefined) => {
    const atMs = /^\d{4}-\d{2}-\d{2}$/.test(date ?? "") ? new Date(`${date}T00:00`).getTime() : Number.NaN;
    return Number.isNaN(atMs) ? undefined : atMs;
  };
  const today = dayOf(nowMs());
  if (days === "yesterday") return { from: dayAfter(today, -1), until: today };
  const back = /^\d{1,3}$/.test(days ?? "") ? Number(days) : undefined;
  const last = beginning(until);
  return {
    from: beginning(from) ?? (back === undefined ? undefined : dayAfter(today, 1 - back)),
    until: last === undefined ? undefined : dayAfter(last, 1),
  };
}
