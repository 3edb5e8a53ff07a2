import { DomainError } from '../../errors.ts'
import type { ReadTx } from '../../store.ts'
import type { Field } from '../field.ts'
import { isConverting } from '../field-values.ts'
import { isCopying } from './conversion/copy-pending.ts'

/** Throws `conflict` while a field of these is being converted: values that aren't yet would be lost. */
export function requireConverted(fields: readonly Field[], what: string): void {
  const field = fields.find(isConverting)
  if (!field) return
  const message = `The values of "${field.name}" are being converted or copied: ${what} when that is done`
  throw new DomainError('conflict', message)
}

/** Throws `conflict` while values of a field are being worked out or converted: it becomes nothing else then. */
export function requireSettled(field: Field): void {
  if (!field.isPending) return
  const what = isConverting(field) ? 'converted or copied' : 'worked out'
  const message = `The values of "${field.name}" are being ${what}: convert it when that is done`
  throw new DomainError('conflict', message)
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
    if (!field) continue
    const message = `The values of "${field.name}" are being copied: ${what} when that is done`
    throw new DomainError('conflict', message)
  }
}
