import type { DomainEvent } from '@gateleg/domain/events/event'

/** Called with each event. Its result is not awaited; a promise that it returns may reject. */
export type EventListener = (event: DomainEvent) => unknown

/**
 * Passes events to listeners after the commit. A listener that throws, or whose promise is rejected, stops neither
 * the others nor the caller.
 */
export class EventHub {
  readonly #listeners = new Set<EventListener>()
  readonly #onListenerError: (error: unknown) => void

  /** `onListenerError` is called with errors of listeners; it must not throw. */
  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError
  }

  /** Adds a listener, which gets events from the next one on. Returns a function that removes it. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  publish(events: readonly DomainEvent[]): void {
    for (const event of events) {
      for (const listener of [...this.#listeners]) this.#tell(listener, event)
    }
  }

  #tell(listener: EventListener, event: DomainEvent): void {
    try {
      const answer = listener(event)
      if (answer instanceof Object) Promise.resolve(answer).catch(this.#onListenerError)
    } catch (error) {
      this.#onListenerError(error)
    }
  }
}
