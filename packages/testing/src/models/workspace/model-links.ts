import type { Relationship } from './model-relationship.ts'
import { linkOf, type ModelField, type ModelRecord } from './workspace-model.ts'

/** What is to become of a request; `either` where nothing says it. */
export type Expectation = 'done' | 'validation_error' | 'either'

/** The cells of one link field that a request writes. */
export type LinkWrites = ReadonlyMap<ModelRecord, readonly ModelRecord[]>

/** Whether a cell of the link holds a list. */
export function hasManyLinks(relationship: Relationship): boolean {
  return relationship === 'oneMany' || relationship === 'manyMany'
}

/** The relationship as the other table sees it. */
export function fromOtherSide(relationship: Relationship): Relationship {
  const sides = { oneOne: 'oneOne', manyMany: 'manyMany', oneMany: 'manyOne', manyOne: 'oneMany' }
  return sides[relationship] as Relationship
}

/** The records that a cell is linked to. */
export function linkedTo(field: ModelField, record: ModelRecord): readonly ModelRecord[] {
  return (record.links.get(field) ?? []).filter(({ isDeleted }) => !isDeleted)
}

/** Whether the cells can be written: a record that may have one link only must not get a second one. */
export function expectLinks(field: ModelField, writes: LinkWrites): Expectation {
  const { relationship } = linkOf(field)
  const lists = [...writes.values()]
  if (lists.some((list) => new Set(list).size < list.length)) return 'validation_error'
  if (relationship === 'manyOne' || relationship === 'manyMany') return 'done'
  let expected: Expectation = 'done'
  for (const target of new Set(lists.flat())) {
    const holds = (list: readonly ModelRecord[]) => list.includes(target)
    const holders = field.table.records.filter((record) => holds(linkedTo(field, record)))
    const staying = holders.filter((record) => !writes.has(record))
    const coming = [...writes].filter(([, list]) => holds(list)).map(([record]) => record)
    if (staying.length + coming.length > 1) return 'validation_error'
    // The record changes hands within one request.
    if (holders.some((record) => !coming.includes(record))) expected = 'either'
  }
  return expected
}

/** Writes the cells. At the other end new links come last, and those that stay keep their places. */
export function writeLinks(field: ModelField, writes: LinkWrites): void {
  const { symmetric } = linkOf(field)
  const added: (readonly [ModelRecord, ModelRecord])[] = []
  for (const [record, list] of writes) {
    const before = linkedTo(field, record)
    const lost = (record.links.get(field) ?? []).filter(({ isDeleted }) => isDeleted)
    record.links.set(field, [...list, ...lost])
    if (lost.length > 0) record.unplaced.set(field, new Set(lost))
    if (!symmetric) continue
    for (const target of before.filter((other) => !list.includes(other))) {
      const links = target.links.get(symmetric) ?? []
      target.links.set(
        symmetric,
        links.filter((other) => other !== record),
      )
    }
    for (const target of list.filter((other) => !before.includes(other)))
      added.push([record, target])
  }
  if (!symmetric) return
  for (const [record, target] of added) {
    target.links.set(symmetric, [...(target.links.get(symmetric) ?? []), record])
  }
}
