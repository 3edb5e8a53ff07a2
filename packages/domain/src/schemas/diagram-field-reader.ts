import type { DiagramField } from './diagram-field.ts'

/** Reads fields of many tables at once, as far as a diagram tells of them: by table, then in their order. */
export interface DiagramFieldReader {
  /** At most so many of the living fields of all living tables of the base. */
  listOfBase(baseId: string, most: number): Promise<readonly DiagramField[]>
  /** Those of the fields that are living, of whichever table. */
  findAll(fieldIds: readonly string[]): Promise<readonly DiagramField[]>
}
