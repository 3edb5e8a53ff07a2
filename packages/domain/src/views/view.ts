import { z } from 'zod'
import type { Timestamp } from '../clock.ts'

/** The kinds of views. */
export const viewTypes = ['grid', 'kanban', 'gallery', 'calendar', 'form', 'plugin'] as const

/** The kind of a view. */
export type ViewType = (typeof viewTypes)[number]

/** What a view notes about a field: here, its place among the columns. */
export interface ColumnMeta {
  readonly order: number
}

/** A way of looking at a table. */
export interface View {
  readonly id: string
  readonly tableId: string
  readonly name: string
  readonly type: ViewType
  readonly description: string | null
  /** Position among the views of the table; ties are broken by id. */
  readonly order: number
  /** By field id; a field without an entry stands after those with one, in the table's order. */
  readonly columnMeta: Readonly<Record<string, ColumnMeta>>
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly version: number
}

/** A view as callers see it. */
export const viewOutput = z
  .object({
    id: z.string().describe('The id of the view'),
    name: z.string().describe('Its name'),
    type: z.enum(viewTypes).describe('How it shows the records'),
    description: z.string().optional().describe('What people note about it'),
    order: z.number().describe('Its place among the views of the table'),
    options: z
      .record(z.string(), z.unknown())
      .describe('Settings of the kind of view; there are none yet'),
    columnMeta: z
      .record(z.string(), z.object({ order: z.number() }))
      .describe('The place of each field in the view, by the id of the field'),
    createdBy: z.string().describe('The id of the user who made it'),
    createdTime: z.string().describe('When it was made'),
  })
  .meta({ id: 'View' })
export type ViewOutput = z.output<typeof viewOutput>

/** The place of each of the fields in the view: those without an entry stand last, in the order given. */
export function placesOf(
  { columnMeta }: View,
  fieldIds: readonly string[],
): Readonly<Record<string, ColumnMeta>> {
  const placed = fieldIds.filter((id) => columnMeta[id] !== undefined)
  const last = Math.max(-1, ...placed.map((id) => columnMeta[id]?.order ?? -1))
  const unplaced = fieldIds.filter((id) => columnMeta[id] === undefined)
  return Object.fromEntries([
    ...placed.map((id) => [id, columnMeta[id]]),
    ...unplaced.map((id, index) => [id, { order: Math.floor(last) + 1 + index }]),
  ])
}

/** The order of a field that is put right after another one in the view. */
export function orderAfter(view: View, fieldIds: readonly string[], anchorId: string): number {
  const orders = Object.values(placesOf(view, fieldIds)).map(({ order }) => order)
  const anchor = placesOf(view, fieldIds)[anchorId]?.order ?? -1
  const next = Math.min(...orders.filter((order) => order > anchor))
  return Number.isFinite(next) ? (anchor + next) / 2 : anchor + 1
}

/** The view as callers see it: with a place for every field of the table. */
export function toViewOutput(view: View, fieldIds: readonly string[]): ViewOutput {
  return {
    id: view.id,
    name: view.name,
    type: view.type,
    ...(view.description === null ? {} : { description: view.description }),
    order: view.order,
    options: {},
    columnMeta: placesOf(view, fieldIds),
    createdBy: view.createdBy,
    createdTime: view.createdTime,
  }
}
