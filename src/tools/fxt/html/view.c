/* The temporary place of pages. No state but the files. A browser may read a page again long after
   the program has ended, so that a later program removes it. */
#include "src/tools/fxt/html/view.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define KEPT_SECONDS (24 * 60 * 60)
#define BEGIN "page-"
#define END ".html"

/* False after a message. */
static bool is_own(const char *directory)
{
    struct stat it;
    bool good = lstat(directory, &it) == 0;
    if (!good)
        message("%s: %s", directory, strerror(errno));
    else if (!S_ISDIR(it.st_mode) || it.st_uid != geteuid() || (it.st_mode & 0077) != 0) {
        message("%s: not a directory of this user alone (mode 0700); set TMPDIR to another place",
                directory);
        good = false;
    }
    return good;
}

static bool enter(char directory[PATH_MAX])
{
    const char *temporary = secure_getenv("TMPDIR");
    char *real = realpath(temporary != NULL && *temporary != '\0' ? temporary : "/tmp", NULL);
    int size = -1;
    if (real != NULL)
        size = snprintf(directory, PATH_MAX, "%s/fxt-view-%u", real, (unsigned)geteuid());
    free(real);
    if (size < 0 || size >= PATH_MAX) {
        message("%s: %s", temporary != NULL ? temporary : "/tmp",
                strerror(size < 0 ? errno : ENAMETOOLONG));
        return false;
    }
    if (mkdir(directory, 0700) != 0 && errno != EEXIST) {
        message("%s: %s", directory, strerror(errno));
        return false;
    }
    return is_own(directory);
}

static bool is_page(const char *name)
{
    size_t size = strlen(name);
    return strncmp(name, BEGIN, strlen(BEGIN)) == 0 && size > strlen(END) &&
           strcmp(name + size - strlen(END), END) == 0;
}

static void remove_old(const char *path)
{
    DIR *directory = opendir(path);
    time_t now = time(NULL);
    struct stat it;
    if (directory == NULL)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        if (is_page(entry->d_name) &&
            fstatat(dirfd(directory), entry->d_name, &it, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(it.st_mode) && it.st_mtime < now - KEPT_SECONDS)
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
}

bool view_begin(struct view *view)
{
    char directory[PATH_MAX];
    if (!enter(directory))
        return false;
    remove_old(directory);
    int size = snprintf(view->path, sizeof view->path, "%s/" BEGIN "XXXXXX" END, directory);
    if (size < 0 || (size_t)size >= sizeof view->path) {
        message("%s: %s", directory, strerror(ENAMETOOLONG));
        return false;
    }
    int fd = mkostemps(view->path, (int)strlen(END), O_CLOEXEC);
    if (fd < 0) {
        message("%s: %s", view->path, strerror(errno));
        return false;
    }
    close(fd);
    if (output_open(&view->output, view->path, NULL))
        return true;
    unlink(view->path);
    return false;
}

enum exit_code view_end(struct view *view, enum exit_code code, bool is_read)
{
    code = output_end(&view->output, code, is_read);
    if (!is_read || code == EXIT_IO)
        unlink(view->path);
    return code;
}
