/** Checks of knowledge bases: created, filled with rows and files, searched, emptied. */
import type { AgentService } from "../../src/core/ports/agent-service.ts";
import { type Check, type CheckContext, expect, expectCode } from "./check.ts";

export const birds = {
  heron: {
    id: "heron",
    content: "Herons sleep standing on one leg in shallow water.",
    title: "About herons",
    url: "https://birds.example.com/herons",
  },
  owl: { id: "owl", content: "Owls hunt at night and see well in the dark.", title: "About owls" },
  swift: { id: "swift", content: "Swifts stay in the air for ten months of the year.", title: "About swifts" },
} as const;

async function search({ service, project, names, patiently }: CheckContext, words: string) {
  return patiently(() => service.search(project, names.base, words, 5));
}

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

function upload(service: AgentService, name: string, fileName: string, mediaType: string, text: string): Promise<void> {
  return service.uploadFile(name, { fileName, mediaType, content: bytes(text) });
}

export const contentChecks: readonly Check[] = [
  {
    id: "kb-create",
    says: "makes a knowledge base from a name alone",
    run: async ({ service, project, names }) => {
      const made = await service.createKnowledgeBase(project, { name: names.base });
      expect(made.name === names.base, `it came back as ${made.name}`);
    },
  },
  {
    id: "kb-create-taken",
    says: "refuses a knowledge base's name that is taken",
    run: async ({ service, project, names }) => {
      await expectCode(() => service.createKnowledgeBase(project, { name: names.base }), "name_taken");
    },
  },
  {
    id: "kb-create-name",
    says: "refuses a knowledge base's name with capitals and marks",
    run: async ({ service, project, names }) => {
      const name = `${names.unknown.toUpperCase()};`;
      await expectCode(() => service.createKnowledgeBase(project, { name }), "name_not_allowed");
    },
  },
  {
    id: "kb-list",
    says: "lists and gives knowledge bases",
    run: async ({ service, project, names }) => {
      const bases = (await service.listKnowledgeBases(project)).map((base) => base.name);
      expect(bases.includes(names.base), `only ${bases.join(", ")}`);
      expect((await service.getKnowledgeBase(project, names.base)).name === names.base, "another one came back");
    },
  },
  {
    id: "kb-unknown",
    says: "says that an unknown knowledge base is not found: read, insert, search",
    run: async ({ service, project, names }) => {
      const rows = [birds.owl];
      await expectCode(() => service.getKnowledgeBase(project, names.unknown), "knowledge_base_not_found");
      await expectCode(() => service.insert(project, names.unknown, { rows }), "knowledge_base_not_found");
      await expectCode(() => service.search(project, names.unknown, "owl", 1), "knowledge_base_not_found");
    },
  },
  {
    id: "insert-rows",
    says: "takes rows with id, content, title and url",
    run: async ({ service, project, names, patiently }) => {
      const rows = [birds.heron, birds.owl, birds.swift];
      await patiently(() => service.insert(project, names.base, { rows }));
    },
  },
  {
    id: "search",
    says: "finds the passage that fits best, with its relevance",
    run: async (context) => {
      const [best] = await search(context, "How do herons sleep in shallow water?");
      expect(best?.content === birds.heron.content, `found ${JSON.stringify(best?.content)}`);
      const { relevance } = best.source;
      expect(relevance !== undefined && relevance > 0 && relevance <= 1, `relevance is ${relevance}`);
    },
  },
  {
    id: "search-source",
    says: "gives title and address of a row back with its passage",
    run: async (context) => {
      const [best] = await search(context, "How do herons sleep in shallow water?");
      expect(best?.source.url === birds.heron.url, `the address is ${best?.source.url}`);
      expect(best.source.title === birds.heron.title, `the title is ${best.source.title}`);
    },
  },
  {
    id: "search-text",
    says: "takes any words to search for as words",
    run: async (context) => {
      await search(context, `it's "owls"; DROP TABLE x -- \` \\ %_ 🦉\nand more'`);
      const [best] = await search(context, "Owls hunt at night");
      expect(best?.content === birds.owl.content, "the rows are not there any more");
    },
  },
  {
    id: "insert-same-id",
    says: "replaces a row by one with the same id",
    run: async (context) => {
      const { service, project, names, patiently } = context;
      const rows = [{ ...birds.swift, content: "Swifts sleep on the wing, high above the clouds." }];
      await patiently(() => service.insert(project, names.base, { rows }));
      const found = (await search(context, "swifts sleep on the wing")).filter(({ content }) => /Swifts/.test(content));
      expect(
        found.length === 1,
        `${found.length} passages about swifts: ${found.map((one) => one.content).join(" / ")}`,
      );
      expect(found[0]?.content === rows[0]?.content, "the old text is still there");
    },
  },
  {
    id: "insert-no-content",
    says: "refuses a row without content",
    run: async ({ service, project, names, patiently }) => {
      const rows = [{ id: "empty", title: "No content here" }];
      await expectCode(() => patiently(() => service.insert(project, names.base, { rows })), "insert_failed");
    },
  },
  {
    id: "delete-rows",
    says: "deletes rows by their id",
    run: async (context) => {
      const { service, project, names, patiently } = context;
      await patiently(() => service.deleteRows(project, names.base, [birds.swift.id, "it's not there"]));
      const found = (await search(context, "swifts sleep on the wing")).filter(({ content }) => /Swifts/.test(content));
      expect(found.length === 0, `${found.length} passages are left`);
    },
  },
  {
    id: "file-upload",
    says: "takes a text file and lists it",
    run: async ({ service, names }) => {
      await upload(service, names.file, "gulls.txt", "text/plain", "Gulls open mussels by dropping them on stones.");
      const files = await service.listFiles();
      expect(files.includes(names.file), `only ${files.join(", ")}`);
    },
  },
  {
    id: "file-upload-taken",
    says: "refuses a file's name that is taken",
    run: async ({ service, names }) => {
      await expectCode(() => upload(service, names.file, "gulls.txt", "text/plain", "Other gulls."), "name_taken");
    },
  },
  {
    id: "file-upload-format",
    says: "refuses a format that it cannot read",
    run: async ({ service, names }) => {
      const name = `${names.file}_x`;
      await expectCode(
        () => upload(service, name, "x.bin", "application/octet-stream", "\u0000\u0001"),
        "file_refused",
      );
    },
  },
  {
    id: "insert-files",
    says: "puts an uploaded file into a knowledge base",
    run: async (context) => {
      const { service, project, names, patiently } = context;
      await patiently(() => service.insert(project, names.base, { files: [names.file] }));
      const [best] = await search(context, "How do gulls open mussels?");
      expect(best?.content.includes("dropping them on stones") === true, `found ${JSON.stringify(best?.content)}`);
    },
  },
  {
    id: "insert-file-unknown",
    says: "says so when there is no such file",
    run: async ({ service, project, names, patiently }) => {
      const files = [names.unknown];
      await expectCode(() => patiently(() => service.insert(project, names.base, { files })), "insert_failed");
    },
  },
  {
    id: "file-delete",
    says: "deletes a file; a second time changes nothing",
    run: async ({ service, names }) => {
      await service.deleteFile(names.file);
      await service.deleteFile(names.file);
      expect(!(await service.listFiles()).includes(names.file), "it is still there");
    },
  },
];

export const endChecks: readonly Check[] = [
  {
    id: "kb-delete",
    says: "deletes a knowledge base with its content; a second time changes nothing",
    run: async ({ service, project, names }) => {
      await service.deleteKnowledgeBase(project, names.base);
      await service.deleteKnowledgeBase(project, names.base);
      await expectCode(() => service.getKnowledgeBase(project, names.base), "knowledge_base_not_found");
    },
  },
];
