/** The format of records in Redis: hashes with one JSON field per key, and the scripts' flat replies. */

/** Builds a record from HGETALL's flat list. */
export function parseRecord(flat: readonly string[]): unknown {
  const entries: [string, unknown][] = [];
  for (let index = 0; index < flat.length; index += 2) {
    entries.push([String(flat[index]), JSON.parse(String(flat[index + 1]))]);
  }
  return Object.fromEntries(entries);
}

/** { id, record } as scripts return it; {} or an empty record if there is none. */
export type Found = readonly [id: string, flat: readonly string[]] | readonly [id?: undefined, flat?: undefined];

/** Pairs of field and JSON, without undefined values. */
export function fieldPairs(values: object): string[] {
  return Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [key, JSON.stringify(value)]));
}

/** States as the scripts read them: ",a,b,". */
export const stateList = (states: readonly string[]) => `,${states.join(",")},`;
