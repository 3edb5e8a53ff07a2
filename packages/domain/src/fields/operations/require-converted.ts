import { DomainError } from '../../errors.ts'
import type { SchemaField } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { Field } from '../field.ts'
import { isConverting } from '../field-values.ts'
import { isCopying } from './columns/copy-pending.ts'

/** `conflict`, for what can be done once the background has come to its end. */
export class StillWorking extends DomainError {
  constructor(field: Field, what: string) {
    super('conflict', `The values of "${field.name}" are being ${what} when that is done`)
  }
}

/** Throws `conflict` while what callers wrote into cells of a field of these can't be told: links show it once they are computed. */
export function requireKnownCells(fields: readonly SchemaField[]): void {
  const pending = fields.find(({ field, isWritable }) => isWritable && field.isPending)
  if (pending) throw new StillWorking(pending.field, 'converted, copied or worked out: undo it')
}

/** Throws `conflict` while a field of these is being converted: values that aren't yet would be lost. */
export function requireConverted(fields: readonly Field[], what: string): void {
  const field = fields.find(isConverting)
  if (field) throw new StillWorking(field, `converted or copied: ${what}`)
}

/** Throws `conflict` while values of a field are being computed or converted: it becomes nothing else then. */
export function requireSettled(field: Field): void {
  if (!field.isPending) return
  const what = isConverting(field) ? 'converted or copied' : 'worked out'
  throw new StillWorking(field, `${what}: convert it`)
}

/** Throws `conflict` while values of fields of the table are being copied into others: they stay until that is done. */
export async function requireCopied(
  tx: Pick<ReadTx, 'calculations'>,
  fields: readonly Field[],
  what: string,
): Promise<void> {
  const tableIds = new Set(fields.map(({ tableId }) => tableId))
  for (const tableId of tableIds) {
    const copies = (await tx.calculations.conversionsOf(tableId)).filter(isCopying)
    const sources = new Set(copies.map(({ source }) => source.id))
    const field = fields.find(({ id }) => sources.has(id))
    if (field) throw new StillWorking(field, `copied: ${what}`)
  }
}
