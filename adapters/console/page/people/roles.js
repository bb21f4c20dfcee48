/** What a person may do, in the words of both parts of the page. */
export const roleWords = { manage: "manager", ingest: "can add knowledge", ask: "can ask", nobody: "no rights" };
