export {
  type CreatedProject,
  createProject,
  FolderNotEmptyError,
  type ProjectOptions,
  ProjectOptionsError,
} from './create-project.ts';
export { TEMPLATES, type Template } from './templates.ts';
