import type { Base } from '../../bases/base.ts'
import { invalidAt } from '../../errors.ts'
import { typeOf } from '../../fields/field-values.ts'
import { limits } from '../../limits.ts'
import type { RecordInput } from '../../records/input/record-input.ts'
import { mapInTurns } from '../../records/showing/map-in-turns.ts'
import type { FieldKeyType, SchemaField } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import { isFilledByPeople } from '../is-filled-by-people.ts'
import { contentAt, type PastedContent } from '../pasted-content.ts'

/** Where content is pasted. */
interface PastedRows {
  readonly content: PastedContent
  /** The fields of the columns, from the first one on that is pasted into. */
  readonly columns: readonly SchemaField[]
  /** How many rows. */
  readonly height: number
  readonly fieldKeyType: FieldKeyType
}

/**
 * The values of each row that is pasted, for the columns that people fill in. Texts that name files as they are copied
 * stand for those of them that the space has.
 */
export async function toPastedRows(
  { tx, base }: { readonly tx: ReadTx; readonly base: Base },
  { content, columns, height, fieldKeyType }: PastedRows,
): Promise<readonly RecordInput[]> {
  const written = [...columns.entries()].filter(([, column]) => isFilledByPeople(column))
  const files = await filesNamed(tx, base.spaceId, content, written)
  return mapInTurns(tx, Array.from({ length: height }), (_, row) => ({
    fields: Object.fromEntries(
      written.map(([index, schemaField]) => {
        const value = contentAt(content, row, index)
        const named = files.get(schemaField)?.get(value)
        return [schemaField.field[fieldKeyType], named ?? value]
      }),
    ),
  }))
}

/** By field of files: the files that each text in its column names, those that were stored for the space. */
async function filesNamed(
  tx: ReadTx,
  spaceId: string,
  content: PastedContent,
  columns: readonly (readonly [number, SchemaField])[],
): Promise<ReadonlyMap<SchemaField, ReadonlyMap<unknown, readonly object[]>>> {
  const found = new Map<SchemaField, ReadonlyMap<unknown, readonly object[]>>()
  for (const [index, schemaField] of columns) {
    const { files } = typeOf(schemaField.field)
    if (!files) continue
    const cells = content.rows.map((_, row) => contentAt(content, row, index))
    const texts = new Set(cells.filter((cell) => typeof cell === 'string'))
    const tokens = new Set([...texts].flatMap(files.tokensIn))
    if (tokens.size > limits.selectedCells) throw tooManyFiles()
    const stored = await tx.attachments.findAll(spaceId, [...tokens])
    // Texts come of cells: what none has had is nobody's to name here.
    const inCells = stored.filter(({ attachedTime }) => attachedTime !== null)
    const known = new Set(inCells.map(({ token }) => token))
    const ofTexts = [...texts].map((text) => [text, files.namedIn(text, known)] as const)
    found.set(schemaField, new Map(ofTexts))
  }
  return found
}

function tooManyFiles() {
  return invalidAt(['content'], `must name ${limits.selectedCells} files at most`)
}
