import { z } from 'zod'
import type { Timestamp } from '../clock.ts'

/** A page of a base on which plugins are arranged. */
export interface Dashboard {
  readonly id: string
  readonly baseId: string
  readonly name: string
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Counts the changes of the dashboard itself, its place in the tree apart. */
  readonly version: number
}

/** A dashboard as lists show it. */
export const dashboardOutput = z
  .object({ id: z.string(), name: z.string() })
  .meta({ id: 'Dashboard' })

/** A dashboard as calls answer it that make or change it. */
export function toDashboardOutput({ id, name, version }: Dashboard) {
  return { id, name, version }
}
