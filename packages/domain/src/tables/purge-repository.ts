import type { Table } from './table.ts'

/** Takes away for good what is left of bases and spaces that are gone. */
export interface PurgeRepository {
  /** Takes the base itself away: all that is in it can't be reached from then on, and left to be purged. */
  removeBase(baseId: string): Promise<void>
  /** Takes the space itself away, with the roles in it and its login providers; its bases are left to be purged. */
  removeSpace(spaceId: string): Promise<void>
  /** Any table of the base, deleted ones too; undefined when there is none left. */
  nextTable(baseId: string): Promise<Table | undefined>
  /**
   * Removes the first rows of the table, as far as the end says, where dropping it would take a time that grows
   * with them. Answers whether it may have more.
   */
  emptySome(
    table: Table,
    most: { readonly records: number; readonly bytes: number },
  ): Promise<boolean>
  /** Removes all but the tables of the base: roles, nodes, what these stand for, the place of its tables. */
  finishBase(baseId: string): Promise<void>
  /** Any base of the space, deleted ones too; undefined when there is none left. */
  nextBaseId(spaceId: string): Promise<string | undefined>
}
