import { z } from 'zod'
import { roles } from '../access/roles.ts'
import type { Timestamp } from '../clock.ts'

/** A space: the place of a team, which holds bases and the people who may use them. */
export interface Space {
  readonly id: string
  readonly name: string
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Counts the changes of the space itself. */
  readonly version: number
}

/** A space as its members see it. */
export const spaceOutput = z
  .object({
    id: z.string().describe('The id of the space'),
    name: z.string().describe('Its name'),
    role: z.enum(roles).describe('The role of the caller in it'),
  })
  .meta({ id: 'Space' })

/** A space as the operations that change it answer it. */
export const spaceName = z
  .object({ id: z.string().describe('The id of the space'), name: z.string().describe('Its name') })
  .meta({ id: 'SpaceName' })

/** What is answered of a space that was made or renamed. */
export function toSpaceName({ id, name, version }: Space) {
  return { id, name, version }
}
