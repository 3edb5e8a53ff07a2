import { isDeepStrictEqual } from 'node:util'
import type { Ours } from './contenders.ts'

export interface CellPlace {
  readonly tableId: string
  readonly recordId: string | undefined
  readonly fieldName: string
}

/** Rejects when the cell holds something else: what is measured has to be done, too. */
export async function requireCell(
  { api }: Ours,
  { tableId, recordId = '', fieldName }: CellPlace,
  expected: unknown,
): Promise<void> {
  const value = (await api.records.getRecord({ tableId, recordId })).fields[fieldName]
  if (isDeepStrictEqual(value, expected)) return
  const [found, right] = [value, expected].map((one) => JSON.stringify(one))
  throw new Error(`"${fieldName}" holds ${found} where it has to be ${right}`)
}
