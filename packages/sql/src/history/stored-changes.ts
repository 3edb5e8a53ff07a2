import type { CellChange } from '@gateleg/domain/history/history-entry'

/** A change without the names of its members, which would be half of what most changes take on the disk. */
type StoredChange = readonly [
  ...[fieldId: string, name: string, type: string, cellValueType: string],
  ...[before: unknown, after: unknown, cut?: CellChange['cut'] | null, index?: number],
]

/**
 * Writes the texts that keep the changes of records. Most of each text says what the fields are, which is the same for one
 * record after another: that is written once.
 */
export class ChangesWriter {
  readonly #beginnings = new Map<string, FieldBeginning>()

  /** The text that keeps the changes of a record. */
  write(changes: readonly CellChange[]): string {
    let text = '['
    for (const change of changes) {
      const { before, after, cut, index } = change
      if (text.length > 1) text += ','
      text += this.#beginningOf(change)
      text += `${toJson(before)},${toJson(after)}`
      if (cut || index !== undefined) text += `,${JSON.stringify(cut ?? null)}`
      text += index === undefined ? ']' : `,${index}]`
    }
    return `${text}]`
  }

  #beginningOf({ fieldId, name, type, cellValueType }: CellChange): string {
    const known = this.#beginnings.get(fieldId)
    if (known?.name === name && known.type === type && known.cellValueType === cellValueType) {
      return known.text
    }
    const list = JSON.stringify([fieldId, name, type, cellValueType])
    const text = `${list.slice(0, -1)},`
    this.#beginnings.set(fieldId, { name, type, cellValueType, text })
    return text
  }
}

/** What every change of a field begins with, as long as the field is what it was. */
interface FieldBeginning extends Pick<CellChange, 'name' | 'type' | 'cellValueType'> {
  readonly text: string
}

/** Numbers and truth values are most of what is no text: nothing is called for those. */
function toJson(cell: CellChange['before']): string {
  if (typeof cell === 'number' || typeof cell === 'boolean' || cell === null) return `${cell}`
  return JSON.stringify(cell)
}

/** The changes that a text keeps. Earlier versions kept them with the names of their members. */
export function readChanges(text: string): readonly CellChange[] {
  const stored = JSON.parse(text) as readonly (StoredChange | CellChange)[]
  return stored.map((change) => (isWithoutNames(change) ? toChange(change) : change))
}

function toChange(stored: StoredChange): CellChange {
  const [fieldId, name, type, cellValueType, before, after, cut, index] = stored
  const field = { fieldId, name, type, cellValueType }
  const more = { ...(cut && { cut }), ...(index !== undefined && { index }) }
  return { ...field, before, after, ...more } as CellChange
}

function isWithoutNames(stored: StoredChange | CellChange): stored is StoredChange {
  return Array.isArray(stored)
}
