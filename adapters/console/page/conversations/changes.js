/** Asks for changes of conversations and channels, and sends them: names, pins, deletions. */
import { newId, request } from "../connection/connection.js";
import { openForm } from "../input/forms.js";
import { pathOf } from "./address.js";

const isDone = ({ status }) => status >= 200 && status < 300;

/** What a dialog does with the answer. */
function outcomeOf(answer) {
  if (isDone(answer)) return undefined;
  if (answer.body?.errors !== undefined) return { errors: answer.body.errors };
  const error = answer.body?.error;
  return {
    problem: error === undefined ? "Parley can't be reached. Try again in a moment." : `${error.what} ${error.hint}`,
  };
}

const channelPath = (id) => `api/channels/${encodeURIComponent(id)}`;
const nameField = (label, initial) => ({ name: "name", label, type: "text", isRequired: true, initial, maxChars: 80 });
const conversations = (count) => (count === 1 ? "1 conversation" : `${count} conversations`);

/** `onLeave(at)`: this person is about to delete what they may be reading. `onChannel(id)`: they made a channel. */
export function createChanges({ onLeave, onChannel }) {
  return {
    pin: (conversation, isPinned) => request("PUT", `${pathOf(conversation)}/pin`, { isPinned }),

    rename: (conversation) =>
      openForm(
        { title: "Rename this conversation", submitLabel: "Rename", fields: [nameField("Name", conversation.title)] },
        {
          submit: async ({ name }) => outcomeOf(await request("PUT", `${pathOf(conversation)}/title`, { title: name })),
        },
      ),

    remove: (conversation) =>
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
            const answer = await request("POST", "api/channels", { name });
            if (isDone(answer)) onChannel(answer.body.id);
            return outcomeOf(answer);
          },
        },
      ),

    renameChannel: ({ id, name }) =>
      openForm(
        { title: "Rename this channel", submitLabel: "Rename", fields: [nameField("Name", name)] },
        { submit: async (values) => outcomeOf(await request("PUT", channelPath(id), { name: values.name })) },
      ),

    removeChannel: async ({ id, name }) => {
      const { body } = await request("GET", channelPath(id));
      const count = body?.conversations;
      const lost = count === 0 ? "It has no conversations." : `Its ${conversations(count ?? 0)} are deleted with it.`;
      openForm(
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
