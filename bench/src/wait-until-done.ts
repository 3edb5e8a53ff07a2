import { setTimeout as pause } from 'node:timers/promises'
import type { LoadClient } from './load-client.ts'

/** What a bench reads of a field. */
export interface FieldState {
  readonly id: string
  readonly isPending?: boolean
}

const pollEveryMs = 10

/** Waits until the field at the path isn't pending: until the background has worked all its cells out. */
export async function waitUntilDone(client: LoadClient, path: string): Promise<void> {
  while ((await client.sendForJson<FieldState>({ method: 'GET', path })).isPending) {
    await pause(pollEveryMs)
  }
}
