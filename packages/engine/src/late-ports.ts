import { madeOnce } from '@gateleg/domain/made-once'
import type { Ports } from '@gateleg/domain/ports'
import type { Wiring } from './wire.ts'

/**
 * The ports of an engine, put together when something first asks for them: what does that, and what implements them, is half of
 * what an engine would load to open, and opening needs but the clock.
 */
export class LatePorts {
  /** All of them, the same each time. */
  readonly load: () => Promise<Ports>

  constructor(wiring: Wiring) {
    this.load = madeOnce(async () => {
      const { wire } = await import('./wire.ts')
      return wire(wiring)
    })
  }
}
