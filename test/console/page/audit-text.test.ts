import { describe, expect, it } from "vitest";
import { auditText } from "../../../adapters/console/page/admin/parts/audit-text.ts";

const job = [
  ["job", "0mwt"],
  ["knowledgeBase", "mindsdb.handbook"],
  ["items", "bookings.csv"],
  ["done", "1"],
];

describe("a line of the audit log", () => {
  it("says what was done, and tells what failed beside it", () => {
    const about = [...job, ["failed", "0"], ["cancelled", "0"]];
    expect(auditText({ action: "kb add", outcome: "done", about })).toEqual({
      text: "Added bookings.csv to handbook",
      rest: [],
    });
    expect(auditText({ action: "kb add", outcome: "done", about: [...job, ["failed", "2"]] })?.rest).toEqual([
      ["failed", "2"],
    ]);
  });

  it("keeps its command where it failed, or where there is no sentence for it", () => {
    expect(auditText({ action: "kb add", outcome: "failed", about: job })).toBeUndefined();
    expect(auditText({ action: "parley mode", outcome: "done", about: [] })).toBeUndefined();
    expect(auditText({ action: "kb add", outcome: "done", about: [] })).toBeUndefined();
  });
});
