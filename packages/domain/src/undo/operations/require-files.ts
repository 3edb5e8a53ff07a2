import { typeOf } from '../../fields/field-values.ts'
import type { KeptCells } from '../../fields/operations/conversion/converted-pages.ts'
import type { KeptDefinition } from '../../fields/operations/conversion/kept-values/kept-definition.ts'
import type { FieldContext } from '../../fields/operations/field-context.ts'
import { scanRecords } from '../../records/reading/scan-records.ts'
import { holdFiles } from './hold-files.ts'
import type { UndoContext } from './undo-context.ts'

/**
 * Notes that cells have the files again that they had before their field became another one, so that nobody removes these.
 * Throws where one of them is gone by now.
 */
export async function requireFiles(
  context: UndoContext & Pick<FieldContext, 'schema'>,
  { type, isLookup, name }: KeptDefinition,
  kept: KeptCells,
  leftIn: string | undefined,
): Promise<void> {
  const { tx, schema } = context
  const { files } = typeOf({ type })
  if (!files || isLookup) return
  const columns = kept.column ? [kept.column] : []
  for await (const { records } of scanRecords(tx, schema, { columns, withDeleted: true })) {
    const known = records.filter(({ autoNumber }) => autoNumber <= kept.until)
    const cells = await kept.cellsOf(known)
    const ofRecords = known.flatMap(({ id }) => files.tokens(cells.get(id) ?? null))
    await holdFiles(context, { fieldName: name, leftIn }, new Set(ofRecords))
    await tx.giveWay()
  }
}
