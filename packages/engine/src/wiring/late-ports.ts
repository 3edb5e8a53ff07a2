import type { Ports } from '@gateleg/domain/ports'
import { madeOnce } from '@gateleg/domain/structures/made-once'
import type { Wiring } from './wire.ts'

/**
 * The ports of an engine, made when something first needs them. Opening an engine needs only the clock, and the code of
 * the container and of the other ports is half of what it would load.
 */
export class LatePorts {
  /** All ports; each time the same objects. */
  readonly load: () => Promise<Ports>

  constructor(wiring: Wiring) {
    this.load = madeOnce(async () => {
      const { wire } = await import('./wire.ts')
      return wire(wiring)
    })
  }
}
