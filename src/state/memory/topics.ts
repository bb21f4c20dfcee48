/** Publish and subscribe within this process. A listener that throws must not keep a message from the others. */
import type { Log } from "../../core/ports/log.ts";
import type { Coordinator } from "../../core/ports/state.ts";

export type Topics = {
  readonly subscribe: Coordinator["subscribe"];
  /** Calls every listener of the topic asynchronously. */
  readonly deliver: (topic: string, message: string) => void;
  readonly clear: () => void;
};

export function createTopics(log: Log | undefined): Topics {
  type Subscription = { readonly listener: (message: string) => void };
  const topics = new Map<string, Set<Subscription>>();

  function call(topic: string, subscription: Subscription, message: string): void {
    // It may have unsubscribed in the meantime.
    if (topics.get(topic)?.has(subscription) !== true) return;
    try {
      subscription.listener(message);
    } catch (thrown) {
      log?.error({ err: thrown, topic }, "A listener failed");
    }
  }

  return {
    subscribe: (topic, listener) => {
      // A new object, so that the same listener can subscribe twice and unsubscribe once.
      const subscription = { listener };
      const subscriptions = topics.get(topic) ?? new Set();
      topics.set(topic, subscriptions.add(subscription));
      return () => {
        subscriptions.delete(subscription);
        if (subscriptions.size === 0 && topics.get(topic) === subscriptions) topics.delete(topic);
      };
    },
    deliver: (topic, message) => {
      for (const subscription of topics.get(topic) ?? []) queueMicrotask(() => call(topic, subscription, message));
    },
    clear: () => topics.clear(),
  };
}
