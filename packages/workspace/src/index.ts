export type { FileChange } from './changes/file-change.js';
export {
  FileConflictError,
  FileError,
  FilePathError,
  FileUnavailableError,
  WorkspaceOptionError,
} from './errors.js';
export type { FilesOfCall, WorkspaceSource } from './files-of-call.js';
export type { WorkspaceConfirm, WorkspaceOptions } from './options.js';
export { checkedPath } from './paths/file-path.js';
export { artifactFiles, type ArtifactFilesOptions } from './stores/artifact.store.js';
export { folderFiles, type FolderFilesOptions } from './stores/folder.store.js';
export {
  type ListedFile,
  type StoredFile,
  versionOf,
  WorkspaceStore,
  type WriteCondition,
} from './stores/workspace-store.js';
export { workspace, WorkspaceToolset } from './workspace.toolset.js';
