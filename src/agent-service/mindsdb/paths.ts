/** URL path of each resource. A name that a URL would resolve away ("..") throws "not found". */
import { type ErrorCode, ParleyError } from "../../core/errors.ts";
import { pathSegment } from "./resources/quoting.ts";

export function agentsPath(project: string): string {
  return `/api/projects/${segment(project, "project_not_found")}/agents`;
}

export function agentPath(project: string, name: string): string {
  return `${agentsPath(project)}/${segment(name, "agent_not_found")}`;
}

export function knowledgeBasesPath(project: string): string {
  return `/api/projects/${segment(project, "project_not_found")}/knowledge_bases`;
}

export function knowledgeBasePath(project: string, name: string): string {
  return `${knowledgeBasesPath(project)}/${segment(name, "knowledge_base_not_found")}`;
}

export function filePath(name: string): string {
  return `/api/files/${segment(name, "file_refused")}`;
}

function segment(name: string, code: ErrorCode): string {
  const encoded = pathSegment(name);
  if (encoded === undefined) throw new ParleyError(code);
  return encoded;
}
