import { z } from 'zod'
import type { Timestamp } from '../clock.ts'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'

/** Where a plugin stands on a board, in units of its grid. */
export interface LayoutItem {
  readonly pluginInstallId: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** What people arrange plugins on: a dashboard of a base, or a plugin panel of a table. */
export interface Board {
  readonly id: string
  readonly baseId: string
  readonly name: string
  /** Null until something was installed or arranged. */
  readonly layout: readonly LayoutItem[] | null
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Counts the changes of name, layout, and of which plugins are there. */
  readonly version: number
}

const length = z
  .number()
  .min(0)
  .refine((value) => value <= Number.MAX_SAFE_INTEGER, `must be at most ${Number.MAX_SAFE_INTEGER}`)

const layoutItem = z.object({
  pluginInstallId: idSchema.describe('An install of the same dashboard or panel'),
  x: length.describe('The column at which it begins'),
  y: length.describe('The row at which it begins; any number from 0 on that a row can be'),
  w: length.describe('How many columns it takes'),
  h: length.describe('How many rows it takes'),
})

/** A layout, as it is sent and answered. */
export const layoutSchema = z.array(layoutItem).max(limits.installsPerBoard)

const boardShape = {
  id: z.string().describe('The id of the dashboard or panel'),
  name: z.string().describe('What people call it'),
}

/** Dashboards and panels in lists, and where they are made or renamed. */
export const boardOutput = z.object(boardShape).meta({ id: 'Board' })

/** A whole board: which plugins are on it, and where. */
export const wholeBoardOutput = z
  .object({
    ...boardShape,
    layout: layoutSchema
      .optional()
      .describe('Where the plugins stand; absent before there were any'),
    pluginMap: z
      .record(
        z.string(),
        z.object({
          id: z.string().describe('The id of the plugin'),
          pluginInstallId: z.string().describe('The id of the install'),
          name: z.string().describe('What it is called there'),
          url: z.string().optional().describe('The page of the plugin, where it has one'),
        }),
      )
      .optional()
      .describe('The installs by their ids; absent where there are none'),
  })
  .meta({ id: 'WholeBoard' })

/** A board as calls answer it that make or rename it. */
export function toBoardOutput({ id, name, version }: Board) {
  return { id, name, version }
}
