import type { Folder } from '@gateleg/domain/tree/folder-repository'
import { columnsFor, type RowOf } from '../table-columns.ts'

/** The columns of `folders`. */
export const folderColumns = columnsFor<Folder>()({ id: 'id', baseId: 'base_id', name: 'name' })

/** A row of `folders`. */
export type FolderRow = RowOf<typeof folderColumns>
