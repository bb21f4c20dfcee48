/** Asks for changes of conversations and channels, and sends them: names, pins, deletions. */
import type { ListedChannel } from "../../channels/channels.ts";
import type { ConversationSummary } from "../../writing/messages.ts";
import { type Answer, newId, request } from "../connection/connection.ts";
import { openForm } from "../input/forms.ts";
import type { FieldOf, FormOutcome } from "../input/shown-form.ts";
import type { Where } from "../state.ts";
import { pathOf } from "./address.ts";

const isDone = ({ status }: Answer<unknown>) => status >= 200 && status < 300;

function problemOf({ refusal }: Answer<unknown>): string {
  const { error } = refusal ?? {};
  return error === undefined ? "Parley can't be reached. Try again in a moment." : `${error.what} ${error.hint}`;
}

/** What a dialog does with the answer. */
function outcomeOf(answer: Answer<unknown>): FormOutcome {
  if (isDone(answer)) return undefined;
  return answer.refusal?.errors === undefined ? { problem: problemOf(answer) } : { errors: answer.refusal.errors };
}

const channelPath = (id: string) => `api/channels/${encodeURIComponent(id)}`;
const nameField = (label: string, initial: string): FieldOf<"text"> & { readonly name: string } => ({
  name: "name",
  label,
  type: "text",
  isRequired: true,
  initial,
  maxChars: 80,
});
const conversations = (count: number) => (count === 1 ? "1 conversation" : `${count} conversations`);

export type Changes = ReturnType<typeof createChanges>;

export function createChanges({
  onLeave,
  onChannel,
  onProblem,
}: {
  /** This person is about to delete what they may be reading. */
  readonly onLeave: (at: Where) => void;
  /** They made a channel. */
  readonly onChannel: (id: string) => void;
  /** What was asked for couldn't be done, and no dialog says so. */
  readonly onProblem: (problem: string) => void;
}) {
  return {
    pin: async (conversation: ConversationSummary, isPinned: boolean) => {
      const answer = await request("PUT", `${pathOf(conversation)}/pin`, { isPinned });
      if (!isDone(answer)) onProblem(problemOf(answer));
    },

    rename: (conversation: ConversationSummary) =>
      openForm(
        { title: "Rename this conversation", submitLabel: "Rename", fields: [nameField("Name", conversation.title)] },
        {
          submit: async ({ name }) => outcomeOf(await request("PUT", `${pathOf(conversation)}/title`, { title: name })),
        },
      ),

    remove: (conversation: ConversationSummary) =>
      openForm(
        {
          title: "Delete this conversation?",
          submitLabel: "Delete",
          text: `“${conversation.title}” is deleted for everyone, with its questions, answers and files. This can't be undone.`,
          fields: [],
        },
        {
          isDanger: true,
          submit: async () => {
            onLeave(conversation);
            return outcomeOf(await request("DELETE", pathOf(conversation), { id: newId() }));
          },
        },
      ),

    makeChannel: () =>
      openForm(
        {
          title: "New channel",
          submitLabel: "Create",
          text: "Everyone who can open this page can read it. You can choose an agent for it afterwards with /agent use.",
          fields: [nameField("Name", "")],
        },
        {
          submit: async ({ name }) => {
            const answer = await request<ListedChannel>("POST", "api/channels", { name });
            if (answer.body !== undefined) onChannel(answer.body.id);
            return outcomeOf(answer);
          },
        },
      ),

    renameChannel: ({ id, name }: ListedChannel) =>
      openForm(
        { title: "Rename this channel", submitLabel: "Rename", fields: [nameField("Name", name)] },
        { submit: async (values) => outcomeOf(await request("PUT", channelPath(id), { name: values["name"] })) },
      ),

    removeChannel: async ({ id, name }: ListedChannel) => {
      const answer = await request<{ readonly conversations: number }>("GET", channelPath(id));
      // Nobody deletes what they weren't told of.
      if (answer.body === undefined) return onProblem(problemOf(answer));
      const count = answer.body.conversations;
      const lost = count === 0 ? "It has no conversations." : `Its ${conversations(count)} are deleted with it.`;
      return openForm(
        {
          title: `Remove # ${name}?`,
          submitLabel: "Remove",
          text: `${lost.replace("1 conversation are", "1 conversation is")} The agent chosen for it no longer answers there. This can't be undone.`,
          fields: [],
        },
        {
          isDanger: true,
          submit: async () => {
            onLeave({ channel: id });
            return outcomeOf(await request("DELETE", channelPath(id), { id: newId() }));
          },
        },
      );
    },
  };
}
