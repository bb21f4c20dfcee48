/** Whose page this is: the server answers it no longer once someone else has signed in in this browser. */
let person: string | undefined;

export function sendAs(personId: string): void {
  person = personId;
}

/** Headers of a request with a JSON body or none. */
export function headersFor(body: unknown): Record<string, string> {
  return {
    ...(person === undefined ? {} : { "x-parley-person": person }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
}
