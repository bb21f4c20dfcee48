import { Icon } from "../../parts/icon.tsx";
import type { Query } from "./address.ts";
import { urlOf } from "./request.ts";

/** Downloads `path` with the list's filters. */
export function CsvLink({ path, query }: { readonly path: string; readonly query: Query }) {
  return (
    <a class="action" href={urlOf(path, query)} download>
      <Icon name="download" />
      CSV
    </a>
  );
}
