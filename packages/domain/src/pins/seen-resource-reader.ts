import type { NamedResource, SeenResource } from './seen-resource.ts'

/** Finds what a user may read, of whatever kind. */
export interface SeenResourceReader {
  /** Those of the resources that are living and in places where the user has a role, in no order. */
  find(userId: string, named: readonly NamedResource[]): Promise<readonly SeenResource[]>
}
