import type { Pin } from './pin.ts'

/** Reads pins. */
export interface PinReader {
  /** All of the user, in their order, whatever has become of the resources. */
  listOf(userId: string): Promise<readonly Pin[]>
}

/** Keeps pins. Those of a resource that is removed for good are removed with it, and with what it lies in. */
export interface PinRepository extends PinReader {
  /** Keeps these in place of all that the user had. */
  replaceAll(userId: string, pins: readonly Pin[]): Promise<void>
}
