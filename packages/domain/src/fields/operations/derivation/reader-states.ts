import type { FieldPlace } from '../../../schemas/readers-of.ts'
import type { SchemaGraph } from '../../../schemas/schema-graph.ts'
import type { ReaderState } from '../../../undo/undo-step.ts'
import { sha256 } from '../../../values/bytes/sha256.ts'
import type { Field } from '../../field.ts'
import type { FieldChange } from '../field-change.ts'

/** A field that is to say of itself what it said once. */
export interface SaidReader extends FieldPlace {
  readonly said: Partial<Field>
}

/** What fields said of themselves before others made them what they are. */
export function toReaderStates(changes: readonly FieldChange[]): readonly ReaderState[] {
  return changes.map(({ before, after }) => {
    const { tableId, id: fieldId, type, options, lookupOptions, result } = before
    // What has an error shows what it was when it had none: nothing else tells it.
    const said = before.hasError ? { type, options, lookupOptions, result } : { options }
    return { tableId, fieldId, said, since: digestOf(after) }
  })
}

/** Those of the fields that say the same of themselves as since then, with what they are to say again. */
export async function toSaidReaders(
  graph: SchemaGraph,
  states: readonly ReaderState[],
): Promise<readonly SaidReader[]> {
  const readers: SaidReader[] = []
  for (const { tableId, fieldId, said, since } of states) {
    const field = (await graph.findField(tableId, fieldId))?.field
    if (!field || digestOf(field) !== since) continue
    readers.push({ tableId, fieldId, said: withFilterOf(field, said) })
  }
  return readers
}

/** What a field said, with the filter that it has by now: choices that this names may have got other names. */
function withFilterOf(
  { options, lookupOptions: read }: Field,
  said: ReaderState['said'],
): Partial<Field> {
  const { options: saidOptions, lookupOptions, ...others } = said as Partial<Field>
  const { filter: _, ...settings } = saidOptions as Filtered
  const { filter } = options as Filtered
  const kept = { ...others, options: { ...settings, ...(filter !== undefined && { filter }) } }
  if (!lookupOptions) return { ...kept, ...(lookupOptions === null && { lookupOptions }) }
  const { filter: __, ...reading } = lookupOptions
  return { ...kept, lookupOptions: { ...reading, ...(read?.filter && { filter: read.filter }) } }
}

interface Filtered {
  readonly filter?: unknown
}

/** Choices are left out: some come with the values that a field is given. So is a filter, as it is about others. */
function digestOf({ type, options, hasError }: Field): string {
  const {
    choices: _,
    filter: __,
    ...settings
  } = options as Filtered & {
    readonly choices?: unknown
  }
  return sha256(JSON.stringify([type, settings, hasError]))
}
