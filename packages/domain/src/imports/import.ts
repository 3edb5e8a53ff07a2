import { z } from 'zod'
import type { Timestamp } from '../clock.ts'

/** How far an import is; `arriving` while its file still comes. */
export type ImportState = 'arriving' | 'running' | 'done' | 'failed'

/** What is wrong with a row of a file; never the text of a cell. */
export interface RowIssue {
  readonly line: number
  /** The name of the field, where it is about one cell. */
  readonly field?: string | undefined
  readonly message: string
}

/** What has become of the rows of a file so far. */
export interface ImportProgress {
  readonly rowsRead: number
  readonly rowsCreated: number
  readonly rowsLeftOut: number
  readonly cellsEmptied: number
  /** The first of them, up to `limits.importIssues`. */
  readonly issues: readonly RowIssue[]
  readonly finishedTime: Timestamp | null
}

/** What is known of a file before its first row is written. */
export const noProgress: ImportProgress = {
  rowsRead: 0,
  rowsCreated: 0,
  rowsLeftOut: 0,
  cellsEmptied: 0,
  issues: [],
  finishedTime: null,
}

/** Rows of a file that become records of a table, at once or in the background. */
export interface Import {
  readonly id: string
  readonly baseId: string
  /** Null until the file has come, where the table is made then. */
  readonly tableId: string | null
  /** The field of each column of the file; null for a column that is passed over. */
  readonly fieldIds: readonly (string | null)[]
  readonly state: ImportState
  readonly progress: ImportProgress
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** From when on nobody needs to know of it any more. */
  readonly expiresTime: Timestamp
}

/** An import as callers see it. */
export const importOutput = z
  .object({
    id: z.string().describe('The id of the import'),
    baseId: z.string().describe('The base of the table'),
    tableId: z.string().describe('The table whose records the rows become'),
    state: z
      .enum(['running', 'done', 'failed'])
      .describe('`running` while rows are still written in the background'),
    rowsRead: z.number().describe('Rows of the file, without the header'),
    rowsCreated: z.number().describe('Rows that are records now'),
    rowsLeftOut: z.number().describe('Rows that the table refused'),
    cellsEmptied: z.number().describe('Cells whose text the type of the field has no value for'),
    issues: z
      .array(
        z.object({
          line: z.number().describe('The line of the file in which the row begins, from 1'),
          field: z.string().optional().describe('The field, where it is about one cell'),
          message: z.string().describe('What is wrong'),
        }),
      )
      .describe('What was wrong with rows and cells: the first of them'),
    createdTime: z.string().describe('When it was begun'),
    finishedTime: z.string().nullable().describe('When its last row was written; null before'),
  })
  .meta({ id: 'Import' })

/** Shows an import whose file has come. */
export function toImportOutput({
  id,
  baseId,
  tableId,
  state,
  progress,
  createdTime,
}: Import): z.output<typeof importOutput> {
  const { issues, ...counts } = progress
  return {
    id,
    baseId,
    tableId: tableId ?? '',
    state: state === 'arriving' ? 'running' : state,
    ...counts,
    issues: inOrderOfLines(issues).map(({ line, field, message }) => ({
      line,
      ...(field !== undefined && { field }),
      message,
    })),
    createdTime,
  }
}

/** Why a file was read no further is known before anything is wrong with its rows. */
export function inOrderOfLines(issues: readonly RowIssue[]): RowIssue[] {
  return issues.toSorted((one, other) => one.line - other.line)
}
