import type { Lock, MaybeDeleted } from '../access/lock.ts'
import type { Deleted, DeletedPage, Deletion } from '../trash/deletion.ts'
import type { Workflow } from './workflow.ts'

/** Reads workflows. Deleted ones are answered where it is said. */
export interface WorkflowReader {
  find(workflowId: string, lock?: Lock): Promise<Workflow | undefined>
  /** The workflow of the id where it is deleted. */
  findDeleted(workflowId: string): Promise<Workflow | undefined>
  /** The workflow of the id, in the trash or not, as it is once it is held. */
  findOrTrash(
    workflowId: string,
    lock: Lock,
  ): Promise<MaybeDeleted<{ readonly workflow: Workflow }>>
  /** All of the base, oldest first. */
  listOf(baseId: string): Promise<readonly Workflow[]>
  /** All of the base, those in its trash too, by id: so many at most with a greater id than that of the last one. */
  allIn(
    baseId: string,
    page: { readonly after: string; readonly most: number },
  ): Promise<readonly Workflow[]>
  /** The workflows of the base that lie in its trash, by id: a page. */
  deletedIn(baseId: string, page: DeletedPage): Promise<readonly Deleted<Workflow>[]>
  /** The names of all in the base, in no order; a name may be there twice. */
  listNames(baseId: string): Promise<readonly string[]>
  /** Characters of the drafts and of what was published of all living workflows of the base. */
  flowsLength(baseId: string): Promise<number>
}

/** Keeps workflows. */
export interface WorkflowRepository extends WorkflowReader {
  /** Adds the workflows, if any. */
  insert(workflows: readonly Workflow[]): Promise<void>
  /** Replaces all but id, base, maker, time of creation and version; the version grows by one. */
  update(workflow: Workflow): Promise<void>
  markDeleted(workflowId: string, deletion: Deletion): Promise<void>
  /** Takes the mark of its deletion away. */
  restore(workflowId: string): Promise<void>
  /** Removes the workflow for good. */
  delete(workflowId: string): Promise<void>
}
