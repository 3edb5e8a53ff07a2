import type { Timestamp } from '../clock.ts'
import type { Deletion } from '../trash/deletion.ts'

/** What the tree knows of a workflow. */
export interface NamedResource {
  readonly id: string
  readonly baseId: string
  readonly name: string
  readonly createdBy: string
  readonly createdTime: Timestamp
  /** Counts the changes of the resource itself. */
  readonly version: number
}

/** Resources of one type. Deleted ones are never answered. */
export interface NamedResourceReader {
  find(resourceId: string): Promise<NamedResource | undefined>
  /** The names of all in the base, in no order; a name may be there twice. */
  listNames(baseId: string): Promise<readonly string[]>
}

/** Keeps resources of which there is a name alone: workflows. */
export interface NamedResourceRepository extends NamedResourceReader {
  insert(resource: NamedResource): Promise<void>
  /** Replaces the name; the version grows by one. */
  rename(resourceId: string, name: string): Promise<void>
  markDeleted(resourceId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away. */
  restore(resourceId: string): Promise<void>
  /** Removes the resource for good. */
  delete(resourceId: string): Promise<void>
}
