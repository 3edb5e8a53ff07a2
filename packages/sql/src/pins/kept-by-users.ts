import { deleteFrom } from '../core/own-tables/delete-rows.ts'

const columns = ['resource_id', 'parent_id'] as const

/** What users keep of a resource, by its `id`, which is removed for good, and of what lies in it. */
export const keptByUsers = [
  ...columns.map((column) => deleteFrom('pins', column)),
  ...columns.map((column) => deleteFrom('last_visits', column)),
]

/** What users keep of all that is in a base, which is removed for good. */
export const keptByUsersInBase = [
  deleteFrom('pins', 'base_id'),
  deleteFrom('last_visits', 'base_id'),
]
