export {
  closeJob,
  countOpenJobs,
  enqueueJobs,
  type Job,
  jobMigrations,
  openJobs,
  type Refusal,
  refusalsOf,
  refuseJobs,
  saveJob,
} from './jobs.ts';
