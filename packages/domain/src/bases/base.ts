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
    id: z.string().describe('The id of the base'),
    name: z.string().describe('Its name'),
    spaceId: z.string().describe('The id of the space that it is in'),
    icon: z.string().nullable().describe('An emoji, or null where there is none'),
    role: z.enum(roles).describe('The role of the caller in it'),
    createdBy: z.string().describe('The id of the user who made it'),
    createdTime: z.string().describe('When it was made'),
    lastModifiedTime: z
      .string()
      .describe('When its own settings were last changed, not what is in it'),
  })
  .meta({ id: 'Base' })

/** What is told of a base to somebody with a role in it. */
export type BaseOutput = z.output<typeof baseOutput>

/** A base as its creation answers it. */
export const newBaseOutput = z
  .object({
    id: z.string().describe('The id of the base'),
    name: z.string().describe('Its name'),
    spaceId: z.string().describe('The id of the space that it is in'),
  })
  .meta({ id: 'NewBase' })

/** A base as a change of it answers it. */
export const baseSettingsOutput = z
  .object({
    spaceId: z.string().describe('The id of the space that it is in'),
    name: z.string().describe('Its name'),
    icon: z.string().nullable().describe('An emoji, or null where there is none'),
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
