/** There are no knowledge bases to read. */
import { ParleyError } from "../../../src/core/errors.ts";
import type { KnowledgeReading } from "../../../src/core/ports/platform-module.ts";

const none = () => Promise.reject(new ParleyError("knowledge_base_not_found"));

export const noKnowledge: KnowledgeReading = { search: none, documents: none, read: none };
