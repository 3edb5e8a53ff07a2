import { z } from 'zod'
import { mayTake } from '../../access/guard.ts'
import { type Action, actions } from '../../access/roles.ts'
import { idSchema } from '../../ids.ts'
import { defineRead } from '../../use-case.ts'
import { onTableOfBase } from '../table-guard.ts'

/** The actions of an area: all whose names begin with it. */
function actionsOf(area: string): readonly Action[] {
  return actions.filter((action) => action.startsWith(`${area}|`))
}

function areaOutput(what: string) {
  return z
    .record(z.string(), z.boolean())
    .describe(`Of each action on ${what}, whether the caller may take it`)
}

/** Says of the actions on a table, its views, records and fields whether the caller may take them, by role and scopes. */
export const getTablePermissions = defineRead({
  summary: 'Get what I may do in a table',
  input: z.object({ baseId: idSchema, tableId: idSchema }),
  output: z.object({
    table: areaOutput('the table'),
    view: areaOutput('its views'),
    record: areaOutput('its records'),
    field: areaOutput('its fields'),
  }),
  access: onTableOfBase('table|read'),
  run: async ({ actor, role }) => {
    const allowedIn = (area: string) =>
      Object.fromEntries(actionsOf(area).map((action) => [action, mayTake(actor, role, action)]))
    return {
      table: allowedIn('table'),
      view: allowedIn('view'),
      record: allowedIn('record'),
      field: allowedIn('field'),
    }
  },
})
