import type { DomainEvent } from '@gateleg/domain/events/event'

export type EventListener = (event: DomainEvent) => void

/** Tells listeners what was committed. A listener that throws stops neither the others nor the caller. */
export class EventHub {
  readonly #listeners = new Set<EventListener>()
  readonly #onListenerError: (error: unknown) => void

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError
  }

  /** Adds a listener; returns what removes it. */
  subscribe(listener: EventListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  publish(events: readonly DomainEvent[]): void {
    for (const event of events) {
      for (const listener of this.#listeners) {
        try {
          listener(event)
        } catch (error) {
          this.#onListenerError(error)
        }
      }
    }
  }
}
