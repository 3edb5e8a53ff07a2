import type { Ports } from '@gateleg/domain/ports'
import type { Wiring } from './wire.ts'

/**
 * The ports of an engine, put together when something first asks for them: what does that, and what implements them, is half of
 * what an engine would load to open, and opening needs but the clock.
 */
export class LatePorts {
  readonly #wiring: Wiring
  #ports: Promise<Ports> | undefined

  constructor(wiring: Wiring) {
    this.#wiring = wiring
  }

  /** All of them, the same each time. */
  load(): Promise<Ports> {
    this.#ports ??= this.#wire()
    return this.#ports
  }

  async #wire(): Promise<Ports> {
    const { wire } = await import('./wire.ts')
    return wire(this.#wiring)
  }
}
