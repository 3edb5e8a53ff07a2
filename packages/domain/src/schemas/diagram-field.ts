import type { Field } from '../fields/field.ts'

/** A field as far as a diagram of its base tells of it: without what its cells are like. */
export interface DiagramField
  extends Pick<
    Field,
    'id' | 'tableId' | 'name' | 'type' | 'isPrimary' | 'isLookup' | 'lookupOptions' | 'hasError'
  > {
  /** Of a link alone; null of every other field, whose options may be long. */
  readonly options: unknown
}
