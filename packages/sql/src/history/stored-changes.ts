import type { CellChange } from '@gateleg/domain/history/history-entry'

/** A change without the names of its members, which would be half of what most changes take on the disk. */
type StoredChange = readonly [
  ...[fieldId: string, name: string, type: string, cellValueType: string],
  ...[before: unknown, after: unknown, cut?: CellChange['cut']],
]

/** The text that keeps the changes of a record. */
export function writeChanges(changes: readonly CellChange[]): string {
  return JSON.stringify(changes.map(toStored))
}

/** The changes that a text keeps. Earlier versions kept them with the names of their members. */
export function readChanges(text: string): readonly CellChange[] {
  const stored = JSON.parse(text) as readonly (StoredChange | CellChange)[]
  return stored.map((change) => (isWithoutNames(change) ? toChange(change) : change))
}

function toStored(change: CellChange): StoredChange {
  const { fieldId, name, type, cellValueType, before, after, cut } = change
  const stored = [fieldId, name, type, cellValueType, before, after] as const
  return cut ? [...stored, cut] : stored
}

function toChange([fieldId, name, type, valueType, before, after, cut]: StoredChange): CellChange {
  const field = { fieldId, name, type, cellValueType: valueType }
  return { ...field, before, after, ...(cut && { cut }) } as CellChange
}

function isWithoutNames(stored: StoredChange | CellChange): stored is StoredChange {
  return Array.isArray(stored)
}
