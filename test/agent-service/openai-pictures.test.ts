/** What a server says when it refuses a request with pictures: whether its model takes none, or only these. */
import { describe, expect, it } from "vitest";
import { openAiErrorOf } from "../../src/agent-service/openai/errors.ts";
import { withPictures } from "../../src/agent-service/openai/pictures.ts";
import type { AgentEvent } from "../../src/core/model/agent-event.ts";
import { pngBytes } from "../doubles/picture-bytes.ts";

type Refused = { readonly status: number; readonly message: string };

const pictures = [{ mediaType: "image/png" as const, bytes: pngBytes(10, 10) }];

/** A question with a picture, to a server that refuses it so. */
async function askedOf({ status, message }: Refused) {
  const remembered: string[] = [];
  const refusals = {
    get: async () => undefined,
    set: async (key: string) => void remembered.push(key),
  };
  const events: AgentEvent[] = [];
  const body = JSON.stringify({ error: { message } });
  const run = async function* (sent: { readonly pictures: readonly unknown[] }): AsyncGenerator<AgentEvent> {
    if (sent.pictures.length > 0) {
      throw openAiErrorOf({ status, body, header: () => undefined, subject: "agent", secrets: [] });
    }
    yield { type: "started" };
    yield { type: "answer", text: "Yes." };
  };
  for await (const event of withPictures("m", { pictures }, { baseUrl: "http://model", refusals }, run)) {
    events.push(event);
  }
  return { isRemembered: remembered.length > 0, told: events.find(({ type }) => type === "pictures-refused"), events };
}

describe("a model that takes no pictures is known by the words of", () => {
  it.each<[server: string, message: string, status?: number]>([
    ["OpenAI", "Invalid content type. image_url is only supported by certain models."],
    ["OpenAI's Responses", "The model 'o3-mini' does not support image inputs."],
    ["OpenRouter", "No endpoints found that support image input", 404],
    ["Ollama", "this model does not support image input (ref: b8bd630e-4a39-4b57-82af-9158ee9d5703)"],
    ["Ollama without the vision part", "this model is missing data required for image input", 500],
    ["Volcengine", "Model do not support image input. Request id: 0217726292683929"],
    ["vLLM", "Qwen/Qwen3-8B is not a multimodal model"],
    ["vLLM with a limit of none", "At most 0 image(s) may be provided in one prompt."],
    [
      "llama.cpp",
      "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
      500,
    ],
    ["llama.cpp of 2025", "image input is not supported by this server", 500],
    ["llama-cpp-python", "Image input detected, but the loaded model is not configured with a mmproj module."],
    ["LM Studio", "Model does not support images. Please use a model that does."],
    ["mlx-lm", "Only 'text' content type is supported."],
    [
      "DeepSeek",
      "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 62797",
    ],
    ["DeepSeek of 2025", "messages[2]: invalid type: sequence, expected a string at line 1 column 2901", 422],
    [
      "Groq",
      "'messages.0' : for 'role:user' the following must be satisfied[('messages.0.content' : value must be a string)]",
    ],
    ["Groq of 2024", "messages[0].content must be a string"],
    ["DashScope", "Unexpected item type in content."],
    ["Gemini", "Image input modality is not enabled for models/gemini-1.5-flash"],
    [
      "Claude through LiteLLM",
      "litellm.BadRequestError: AnthropicException - 'claude-2.1' does not support image input.",
    ],
    ["Bedrock", "This model doesn't support the image content block that you provided."],
    ["SGLang", "Multimodal data provided, but the model does not support multimodal."],
    ["a gateway", "Vision is not supported by this model"],
  ])("%s", async (_, message, status = 400) => {
    const { isRemembered, told, events } = await askedOf({ status, message });

    expect({ isRemembered, told }).toEqual({ isRemembered: true, told: { type: "pictures-refused", of: "any" } });
    expect(events).toContainEqual(expect.objectContaining({ type: "answer" }));
  });
});

describe("pictures that a model refuses say nothing about the next ones, in the words of", () => {
  it.each<[server: string, message: string, status?: number]>([
    [
      "OpenAI, of bytes that are none",
      "The image data you provided does not represent a valid image. Please check your input and try again with one of the supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].",
    ],
    [
      "OpenAI, of a format",
      "You uploaded an unsupported image. Please make sure your image is below 20 MB in size and is of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    ],
    ["OpenAI's filter", "Your input image may contain content that is not allowed by our safety system."],
    ["OpenAI, of base64", "Invalid base64 image_url."],
    [
      "OpenAI, of a URL",
      "Invalid 'input[0].content[1].image_url'. Expected a valid URL, but got a value with an invalid format.",
    ],
    [
      "Claude, of bytes",
      "messages.2.content.0.image.source.base64: image exceeds 5 MB maximum: 8259148 bytes > 5242880 bytes",
    ],
    [
      "Claude, of pixels",
      "messages.7.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels",
    ],
    ["Claude, of what it can't read", "Could not process image"],
    [
      "Claude, of a wrong type",
      "messages.0.content.1.image.source.base64.data: Image does not match the provided media type image/png",
    ],
    [
      "Gemini",
      "Unable to process input image. Please retry or report in https://developers.generativeai.google/guide/troubleshooting",
    ],
    ["Gemini's other words", "Provided image is not valid."],
    ["vLLM, of too many", "At most 1 image(s) may be provided in one request."],
    ["vLLM, of bytes", "cannot identify image file <_io.BytesIO object at 0x7f>"],
    ["llama.cpp", "Failed to load image or audio file", 500],
    ["Ollama", "image: unknown format", 500],
    ["Mistral", "Image could not be loaded: the picture is too small"],
    [
      "Azure's filter through LiteLLM",
      "litellm.ContentPolicyViolationError: AzureException - The image was filtered by the content management policy.",
    ],
    ["a format alone", "This model does not support image format image/gif"],
    ["animation", "Animated images are not supported"],
    ["a number alone", "This model does not support images larger than 4 MB"],
    ["a server that doesn't say", "Bad request"],
  ])("%s", async (_, message, status = 400) => {
    const { isRemembered, told, events } = await askedOf({ status, message });

    expect({ isRemembered, told }).toEqual({ isRemembered: false, told: { type: "pictures-refused", of: "these" } });
    expect(events).toContainEqual(expect.objectContaining({ type: "answer" }));
  });
});
