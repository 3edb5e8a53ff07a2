import { z } from 'zod'
import { type Role, roles } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'

/** A base: a tree of tables, folders, dashboards and workflows inside a space. */
export interface Base {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  readonly icon: string | null
  /** Position among the bases of the space; ties are broken by id. */
  readonly order: number
  readonly createdBy: string
  readonly createdTime: Timestamp
  readonly lastModifiedTime: Timestamp
  /** Counts the changes of the base itself, not of what is in it. */
  readonly version: number
}

/** A base as its collaborators see it. */
export const baseOutput = z
  .object({
    id: z.string(),
    name: z.string(),
    spaceId: z.string(),
    icon: z.string().nullable(),
    role: z.enum(roles),
    createdBy: z.string(),
    createdTime: z.string(),
    lastModifiedTime: z.string(),
  })
  .meta({ id: 'Base' })
export type BaseOutput = z.output<typeof baseOutput>

/** A base as its creation answers it. */
export const newBaseOutput = z
  .object({ id: z.string(), name: z.string(), spaceId: z.string() })
  .meta({ id: 'NewBase' })

/** A base as a change of it answers it. */
export const baseSettingsOutput = z
  .object({
    spaceId: z.string(),
    name: z.string(),
    icon: z.string().nullable(),
  })
  .meta({ id: 'BaseSettings' })

/** The base as somebody with the role sees it. */
export function toBaseOutput(base: Base, role: Role): BaseOutput {
  return {
    id: base.id,
    name: base.name,
    spaceId: base.spaceId,
    icon: base.icon,
    role,
    createdBy: base.createdBy,
    createdTime: base.createdTime,
    lastModifiedTime: base.lastModifiedTime,
  }
}
