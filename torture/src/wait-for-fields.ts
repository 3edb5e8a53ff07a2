import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '@gateleg/domain/api'

/** Milliseconds between two looks. */
const everyMs = 500

/** Waits until no field of the table is pending; throws when that takes longer than the minutes. */
export async function waitForFields(api: Api, tableId: string, minutes: number): Promise<void> {
  const looksLeft = (minutes * 60_000) / everyMs
  for (let look = 0; look < looksLeft; look++) {
    const fields = await api.fields.listFields({ tableId })
    if (fields.every(({ isPending }) => !isPending)) return
    await pause(everyMs)
  }
  throw new Error(`fields were still pending after ${minutes} minutes`)
}
